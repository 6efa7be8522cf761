package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	runnerv1 "code.gitea.io/actions-proto-go/runner/v1"
	"code.gitea.io/actions-proto-go/runner/v1/runnerv1connect"
	"github.com/nektos/act/pkg/common"
	"github.com/nektos/act/pkg/model"
	"github.com/nektos/act/pkg/runner"
	log "github.com/sirupsen/logrus"
	"go.yaml.in/yaml/v4"
)

// execute runs a task and reports its progress and its result.
func execute(ctx context.Context, cfg config, reg registration, rpc runnerv1connect.RunnerServiceClient, task *runnerv1.Task) {
	taskCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	reports := newReporter(rpc, task, cancel)
	stop := reports.everySecond()
	outputs, err := perform(taskCtx, cfg, reg, task, reports)
	stop()
	if err != nil {
		reports.say(err.Error())
	}
	if err := reports.finish(outputs, err != nil); err != nil {
		log.WithError(err).Error("failed to report the end of the task")
	}
}

func perform(ctx context.Context, cfg config, reg registration, task *runnerv1.Task, reports *reporter) (map[string]string, error) {
	workflow, err := model.ReadWorkflow(bytes.NewReader(task.WorkflowPayload))
	if err != nil {
		return nil, err
	}
	ids := workflow.GetJobIDs()
	if len(ids) != 1 {
		return nil, fmt.Errorf("multiple jobs found: %v", ids)
	}
	job := workflow.GetJob(ids[0])
	if err := addNeeds(workflow, job, task.Needs); err != nil {
		return nil, err
	}
	reports.expectSteps(len(job.Steps))
	plan, err := planOf(workflow, ids[0])
	if err != nil {
		return nil, err
	}

	values := task.Context.Fields
	event, err := values["event"].GetStructValue().MarshalJSON()
	if err != nil {
		return nil, err
	}
	text := func(name string) string { return values[name].GetStringValue() }
	workdir, err := os.MkdirTemp(cfg.Host.WorkdirParent, "task")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(workdir)
	one, err := runner.New(&runner.Config{
		Workdir:        filepath.FromSlash("/workspace/" + text("repository")),
		ActionCacheDir: workdir,
		EventJSON:      string(event),
		LogOutput:      true,
		GitHubInstance: reg.Address,
		AutoRemove:     true,
		NoSkipCheckout: true,
		Secrets:        task.Secrets,
		Vars:           task.Vars,
		Token:          text("token"),
		Env: map[string]string{
			"ACTIONS_RUNTIME_URL":   reg.Address + "/api/actions_pipeline/",
			"ACTIONS_RESULTS_URL":   reg.Address,
			"ACTIONS_RUNTIME_TOKEN": text("gitea_runtime_token"),
			"GITEA_ACTIONS":         "true",
		},
		DefaultActionInstance: text("gitea_default_actions_url"),
		PlatformPicker:        platformPicker(reg.Labels),
		PresetGitHubContext: &model.GithubContext{
			Event:           values["event"].GetStructValue().AsMap(),
			RunID:           text("run_id"),
			RunNumber:       text("run_number"),
			RunAttempt:      text("run_attempt"),
			Actor:           text("actor"),
			Repository:      text("repository"),
			RepositoryOwner: text("repository_owner"),
			EventName:       text("event_name"),
			Sha:             text("sha"),
			Ref:             text("ref"),
			RefName:         text("ref_name"),
			RefType:         text("ref_type"),
			HeadRef:         text("head_ref"),
			BaseRef:         text("base_ref"),
			Token:           text("token"),
			RetentionDays:   text("retention_days"),
		},
	})
	if err != nil {
		return nil, err
	}
	limited, stop := context.WithTimeout(ctx, time.Hour)
	defer stop()
	logged := runner.WithJobLoggerFactory(common.WithLoggerHook(limited, reports), silentLoggers{})
	err = one.NewPlanExecutor(plan)(logged)
	return job.Outputs, err
}

// addNeeds adds the jobs that this job needs to the workflow, with their results and outputs from other runners.
func addNeeds(workflow *model.Workflow, job *model.Job, needs map[string]*runnerv1.TaskNeed) error {
	names := make([]string, 0, len(needs))
	for name, need := range needs {
		names = append(names, name)
		result := strings.ToLower(strings.TrimPrefix(need.Result.String(), "RESULT_"))
		workflow.Jobs[name] = &model.Job{Outputs: need.Outputs, Result: result}
	}
	job.RawNeeds = yaml.Node{}
	return job.RawNeeds.Encode(names)
}

// planOf returns a plan that runs only this job, because the jobs that it needs have completed.
func planOf(workflow *model.Workflow, id string) (*model.Plan, error) {
	plan, err := model.CombineWorkflowPlanner(workflow).PlanJob(id)
	if err != nil {
		return nil, err
	}
	for _, stage := range plan.Stages {
		for _, run := range stage.Runs {
			if run.JobID == id {
				return &model.Plan{Stages: []*model.Stage{{Runs: []*model.Run{run}}}}, nil
			}
		}
	}
	return nil, fmt.Errorf("job %q is not in its plan", id)
}

func platformPicker(labels []string) func([]string) string {
	return func(runsOn []string) string {
		for _, wanted := range runsOn {
			for _, label := range labels {
				if name, kind, _ := strings.Cut(label, ":"); name == wanted && (kind == "" || kind == "host") {
					return "-self-hosted"
				}
			}
		}
		return "docker.invalid/no-such-image"
	}
}

type silentLoggers struct{}

func (silentLoggers) WithJobLogger() *log.Logger {
	logger := log.New()
	logger.SetOutput(&bytes.Buffer{})
	return logger
}
