package chrome

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// frameTime limits what may be asked of all frames in other processes: they are measured, nothing depends on them.
const frameTime = 3 * time.Second

// InFrames implements capture.Tab. A frame of another site is a target of its own; those of this tab are the ones in its browser
// context. A frame that does not answer is left out.
func (t *tab) InFrames(ctx context.Context, world, expression string, most int) [][]byte {
	ctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	whole := session{pipe: t.browser.process.pipe, ctx: ctx}
	all, err := proto.TargetGetTargets{Filter: proto.TargetTargetFilter{{Type: "iframe"}}}.Call(whole)
	if err != nil {
		return nil
	}
	var answers [][]byte
	for _, target := range all.TargetInfos {
		if target.BrowserContextID != t.contextID || len(answers) >= most {
			continue
		}
		attached, err := proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true}.Call(whole)
		if err != nil {
			continue
		}
		frame := session{pipe: whole.pipe, id: attached.SessionID, ctx: ctx}
		if answer := frame.evaluate(world, expression); answer != nil {
			answers = append(answers, answer)
		}
		whole.post("", proto.TargetDetachFromTarget{SessionID: attached.SessionID})
	}
	return answers
}

// evaluate evaluates an expression in a world of its own of the target's main frame; nil when that fails.
func (s session) evaluate(world, expression string) []byte {
	tree, err := proto.PageGetFrameTree{}.Call(s)
	if err != nil {
		return nil
	}
	made, err := proto.PageCreateIsolatedWorld{FrameID: tree.FrameTree.Frame.ID, WorldName: world}.Call(s)
	if err != nil {
		return nil
	}
	request := proto.RuntimeEvaluate{Expression: expression, ContextID: made.ExecutionContextID, ReturnByValue: true}
	raw, err := s.Call(s.ctx, string(s.id), request.ProtoReq(), request)
	if err != nil {
		return nil
	}
	return raw
}
