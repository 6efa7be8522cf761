package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	runnerv1 "code.gitea.io/actions-proto-go/runner/v1"
	"code.gitea.io/actions-proto-go/runner/v1/runnerv1connect"
	"connectrpc.com/connect"
	log "github.com/sirupsen/logrus"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// reporter sends the executor's log and the state of the task to the server. It is a hook of the executor's loggers.
type reporter struct {
	rpc    runnerv1connect.RunnerServiceClient
	cancel context.CancelFunc
	masks  *strings.Replacer

	mu     sync.Mutex
	state  *runnerv1.TaskState
	rows   []*runnerv1.LogRow
	stored int64
	sends  sync.Mutex
}

func newReporter(rpc runnerv1connect.RunnerServiceClient, task *runnerv1.Task, cancel context.CancelFunc) *reporter {
	var pairs []string
	for _, secret := range task.Secrets {
		if secret != "" {
			pairs = append(pairs, secret, "***")
		}
	}
	return &reporter{
		rpc: rpc, cancel: cancel, masks: strings.NewReplacer(pairs...),
		state: &runnerv1.TaskState{Id: task.Id, StartedAt: timestamppb.Now()},
	}
}

func (r *reporter) expectSteps(count int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range count {
		r.state.Steps = append(r.state.Steps, &runnerv1.StepState{Id: int64(i)})
	}
}

func (r *reporter) Levels() []log.Level { return log.AllLevels }

func (r *reporter) Fire(entry *log.Entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if step := r.stepOf(entry); step != nil {
		if step.StartedAt == nil {
			step.StartedAt = timestamppb.New(entry.Time)
		}
		if entry.Data["raw_output"] == true {
			if step.LogLength == 0 {
				step.LogIndex = r.next()
			}
			step.LogLength++
		}
		if result, ok := entry.Data["stepResult"]; ok {
			step.Result = resultOf(result)
			step.StoppedAt = timestamppb.New(entry.Time)
		}
	}
	if result, ok := entry.Data["jobResult"]; ok {
		r.state.Result = resultOf(result)
	}
	if entry.Data["raw_output"] == true || entry.Level <= log.InfoLevel {
		r.add(entry.Time, entry.Message)
	}
	return nil
}

// stepOf returns the step to which a log entry belongs, or nil if it does not belong to the main stage of a step.
func (r *reporter) stepOf(entry *log.Entry) *runnerv1.StepState {
	number, ok := entry.Data["stepNumber"].(int)
	if !ok || entry.Data["stage"] != "Main" || number >= len(r.state.Steps) {
		return nil
	}
	return r.state.Steps[number]
}

func (r *reporter) say(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(time.Now(), text)
}

func (r *reporter) add(at time.Time, text string) {
	line := strings.ReplaceAll(r.masks.Replace(strings.TrimRight(text, "\r\n")), "\n", `\n`)
	r.rows = append(r.rows, &runnerv1.LogRow{Time: timestamppb.New(at), Content: line})
}

func (r *reporter) next() int64 { return r.stored + int64(len(r.rows)) }

func resultOf(value any) runnerv1.Result {
	switch fmt.Sprint(value) {
	case "success":
		return runnerv1.Result_RESULT_SUCCESS
	case "skipped":
		return runnerv1.Result_RESULT_SKIPPED
	case "cancelled":
		return runnerv1.Result_RESULT_CANCELLED
	default:
		return runnerv1.Result_RESULT_FAILURE
	}
}

// everySecond sends a report every second until the returned function is called. That function waits until the current
// report is sent, because a report that arrives after the task has stopped would end the task without its outputs.
func (r *reporter) everySecond() func() {
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Second):
				if err := r.sendRows(false); err != nil {
					log.WithError(err).Warn("failed to send the log")
				}
				if err := r.sendState(nil); err != nil {
					log.WithError(err).Warn("failed to report the state")
				}
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

func (r *reporter) sendRows(noMore bool) error {
	r.sends.Lock()
	defer r.sends.Unlock()
	r.mu.Lock()
	request := &runnerv1.UpdateLogRequest{TaskId: r.state.Id, Index: r.stored, Rows: r.rows, NoMore: noMore}
	r.mu.Unlock()
	if len(request.Rows) == 0 && !noMore {
		return nil
	}
	answer, err := r.rpc.UpdateLog(context.Background(), connect.NewRequest(request))
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	stored := answer.Msg.AckIndex
	if stored < r.stored || stored > r.next() {
		return fmt.Errorf("%d rows are acknowledged of %d", stored, r.next())
	}
	r.rows = r.rows[stored-r.stored:]
	r.stored = stored
	if noMore && len(r.rows) > 0 {
		return fmt.Errorf("%d rows are not stored", len(r.rows))
	}
	return nil
}

func (r *reporter) sendState(outputs map[string]string) error {
	r.sends.Lock()
	defer r.sends.Unlock()
	r.mu.Lock()
	state := &runnerv1.TaskState{
		Id: r.state.Id, StartedAt: r.state.StartedAt, StoppedAt: r.state.StoppedAt, Steps: r.state.Steps,
	}
	// A result ends the task, so it is sent only if the task has stopped.
	if state.StoppedAt != nil {
		state.Result = r.state.Result
	}
	r.mu.Unlock()
	answer, err := r.rpc.UpdateTask(context.Background(), connect.NewRequest(&runnerv1.UpdateTaskRequest{State: state, Outputs: outputs}))
	if err != nil {
		return err
	}
	if answer.Msg.State.GetResult() != runnerv1.Result_RESULT_UNSPECIFIED && state.StoppedAt == nil {
		r.mu.Lock()
		r.state.Result = answer.Msg.State.Result
		r.mu.Unlock()
		r.cancel()
	}
	for name := range outputs {
		if !contains(answer.Msg.SentOutputs, name) {
			return fmt.Errorf("the output %q is not stored", name)
		}
	}
	return nil
}

func contains(names []string, name string) bool {
	for _, each := range names {
		if each == name {
			return true
		}
	}
	return false
}

// finish sends the remaining log rows and then the result of the task. Failed requests are retried for half a minute.
func (r *reporter) finish(outputs map[string]string, failed bool) error {
	r.mu.Lock()
	r.state.StoppedAt = timestamppb.Now()
	if r.state.Result == runnerv1.Result_RESULT_UNSPECIFIED {
		r.state.Result = runnerv1.Result_RESULT_SUCCESS
		if failed {
			r.state.Result = runnerv1.Result_RESULT_FAILURE
		}
	}
	for _, step := range r.state.Steps {
		if step.Result == runnerv1.Result_RESULT_UNSPECIFIED {
			step.Result = runnerv1.Result_RESULT_CANCELLED
		}
	}
	r.mu.Unlock()
	logged := retry(func() error { return r.sendRows(true) })
	if err := retry(func() error { return r.sendState(outputs) }); err != nil {
		return err
	}
	return logged
}

func retry(send func() error) error {
	var err error
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(time.Second) {
		if err = send(); err == nil {
			return nil
		}
		log.WithError(err).Warn("failed to report the end of the task, will try again")
	}
	return err
}
