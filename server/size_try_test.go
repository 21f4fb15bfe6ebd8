package server_test
import ("testing";"fmt";"encoding/json";"bytes")
func TestTrySizes(t *testing.T){
 p:=newWorld(t,"amara").connect(t,"modern","{}")
 var l struct{Tools []json.RawMessage}
 json.Unmarshal(p.call("tools/list","{}").Result,&l)
 for _,x:=range l.Tools{ var b bytes.Buffer; json.Compact(&b,x)
  var d struct{Name,Title,Description string; InputSchema,OutputSchema json.RawMessage}; json.Unmarshal(x,&d)
  fmt.Println(d.Name,"model",len(d.Name)+len(d.Title)+len(d.Description)+len(d.InputSchema),"out",len(d.OutputSchema),"all",len(d.Name)+len(d.Description)+len(d.InputSchema)+len(d.OutputSchema))
 }
}
