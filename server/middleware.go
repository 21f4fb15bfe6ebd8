package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newestHandshake is the newest revision that has an initialize.
const newestHandshake = "2025-11-25"

// recovered is the outermost middleware. The SDK recovers from no panic, and
// a nil result crashes the process in revision 2026-07-28 after all
// middleware has run (go-sdk.md section 0, traps 3 and 4).
func recovered(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			internal := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error in bb while answering " + method}
			defer func() {
				if p := recover(); p != nil {
					log.ErrorContext(ctx, "panic", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
					res, err = nil, internal
				}
			}()
			res, err = next(ctx, method, req)
			if err == nil && isNil(res) && !isNotification(method) {
				log.ErrorContext(ctx, "no result", "method", method)
				return nil, internal
			}
			return res, err
		}
	}
}

func isNil(res mcp.Result) bool {
	if res == nil {
		return true
	}
	v := reflect.ValueOf(res)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// isNotification says whether method has no answer.
func isNotification(method string) bool {
	const prefix = "notifications/"
	return len(method) > len(prefix) && method[:len(prefix)] == prefix
}

// negotiatedVersion writes the revision that the SDK is about to negotiate
// into the parameters it keeps for the session. Otherwise a request's
// ProtocolVersion is the one the client asked for, which nobody may speak, and
// a handshake client that asks for 2026-07-28 is sent results of that revision
// (go-sdk.md section 1.3).
func negotiatedVersion(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if p, ok := req.GetParams().(*mcp.InitializeParams); ok && p != nil {
			if v := p.ProtocolVersion; v > newestHandshake || !slices.Contains(mcp.SupportedProtocolVersions(), v) {
				p.ProtocolVersion = newestHandshake
			}
		}
		return next(ctx, method, req)
	}
}

// validErrorData replaces error data that is not JSON. The SDK writes the URI
// of an unknown resource with Go's %q, which for a control character is no
// JSON and closes the session (go-sdk.md section 0, trap 2).
func validErrorData(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Data == nil || json.Valid(rpc.Data) {
			return res, err
		}
		valid := &jsonrpc.Error{Code: rpc.Code, Message: rpc.Message}
		if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok && p != nil {
			valid.Data, _ = json.Marshal(map[string]string{"uri": p.URI})
		}
		return nil, valid
	}
}

// hideViewPage keeps the page of the views out of resources/list: it is
// registered so that the SDK reads it, and is nothing a person would pick.
func hideViewPage(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if err != nil {
			return res, err
		}
		if list, ok := res.(*mcp.ListResourcesResult); ok && list != nil {
			visible := *list
			visible.Resources = slices.DeleteFunc(slices.Clone(list.Resources), func(r *mcp.Resource) bool { return r.URI == uiURI })
			if visible.Resources == nil {
				visible.Resources = []*mcp.Resource{}
			}
			return &visible, nil
		}
		return res, nil
	}
}
