// A runner for tests on hosts where the Gitea runner cannot be installed. It uses the Gitea runner's executor, messages
// and transport, with a daemon of its own. It accepts the command-line options of the Gitea runner that tests use.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	pingv1 "code.gitea.io/actions-proto-go/ping/v1"
	"code.gitea.io/actions-proto-go/ping/v1/pingv1connect"
	runnerv1 "code.gitea.io/actions-proto-go/runner/v1"
	"code.gitea.io/actions-proto-go/runner/v1/runnerv1connect"
	"connectrpc.com/connect"
	log "github.com/sirupsen/logrus"
	"go.yaml.in/yaml/v4"
)

const version = "stand-in"

type config struct {
	Runner struct {
		File          string        `yaml:"file"`
		FetchInterval time.Duration `yaml:"fetch_interval"`
	} `yaml:"runner"`
	Host struct {
		WorkdirParent string `yaml:"workdir_parent"`
	} `yaml:"host"`
}

// registration is the content of the file that stores a runner's registration.
type registration struct {
	ID      int64    `json:"id"`
	UUID    string   `json:"uuid"`
	Name    string   `json:"name"`
	Token   string   `json:"token"`
	Address string   `json:"address"`
	Labels  []string `json:"labels"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	log.SetLevel(log.DebugLevel)
	path := flag.String("c", "", "the configuration")
	flag.Parse()
	if err := run(ctx, *path, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string, args []string) error {
	var cfg config
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(text, &cfg); err != nil {
		return err
	}
	if len(args) == 0 {
		return fmt.Errorf("register or daemon is required")
	}
	switch args[0] {
	case "register":
		return register(ctx, cfg, args[1:])
	case "daemon":
		return daemon(ctx, cfg, args[1:])
	default:
		return fmt.Errorf("unknown command %q", args[0])
	}
}

func register(ctx context.Context, cfg config, args []string) error {
	flags := flag.NewFlagSet("register", flag.ContinueOnError)
	flags.Bool("no-interactive", true, "")
	instance := flags.String("instance", "", "")
	token := flags.String("token", "", "")
	name := flags.String("name", "", "")
	labels := flags.String("labels", "", "")
	ephemeral := flags.Bool("ephemeral", false, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	address := strings.TrimRight(*instance, "/")
	ping := pingv1connect.NewPingServiceClient(http.DefaultClient, address+"/api/actions")
	if _, err := ping.Ping(ctx, connect.NewRequest(&pingv1.PingRequest{Data: *name})); err != nil {
		return err
	}
	all := strings.Split(*labels, ",")
	answer, err := client(address, "", "").Register(ctx, connect.NewRequest(&runnerv1.RegisterRequest{
		Name: *name, Token: *token, Version: version, Labels: namesOf(all), Ephemeral: *ephemeral,
	}))
	if err != nil {
		return err
	}
	made := answer.Msg.Runner
	text, err := json.MarshalIndent(registration{made.Id, made.Uuid, made.Name, made.Token, address, all}, "", "  ")
	if err != nil {
		return err
	}
	log.Info("Runner registered successfully.")
	return os.WriteFile(cfg.Runner.File, text, 0o600)
}

func daemon(ctx context.Context, cfg config, args []string) error {
	flags := flag.NewFlagSet("daemon", flag.ContinueOnError)
	once := flags.Bool("once", false, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var reg registration
	text, err := os.ReadFile(cfg.Runner.File)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &reg); err != nil {
		return err
	}
	rpc := client(reg.Address, reg.UUID, reg.Token)
	declared, err := rpc.Declare(ctx, connect.NewRequest(&runnerv1.DeclareRequest{
		Version: version, Labels: namesOf(reg.Labels),
	}))
	if err != nil {
		return err
	}
	log.Infof("runner: %s, with version: %s, with labels: %v, declare successfully",
		declared.Msg.Runner.Name, declared.Msg.Runner.Version, declared.Msg.Runner.Labels)
	var known int64
	for ctx.Err() == nil {
		fetched, err := fetch(ctx, rpc, known)
		if err != nil && ctx.Err() == nil {
			log.WithError(err).Error("failed to fetch task")
			if connect.CodeOf(err) == connect.CodeUnauthenticated {
				return fmt.Errorf("the runner is no longer registered")
			}
		}
		if err == nil && fetched.TasksVersion > known {
			known = fetched.TasksVersion
		}
		if err == nil && fetched.Task != nil {
			known = 0
			execute(ctx, cfg, reg, rpc, fetched.Task)
			if *once {
				return nil
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(cfg.Runner.FetchInterval):
		}
	}
	return nil
}

func fetch(ctx context.Context, rpc runnerv1connect.RunnerServiceClient, known int64) (*runnerv1.FetchTaskResponse, error) {
	limited, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	answer, err := rpc.FetchTask(limited, connect.NewRequest(&runnerv1.FetchTaskRequest{TasksVersion: known}))
	if err != nil {
		return nil, err
	}
	return answer.Msg, nil
}

func client(address, uuid, token string) runnerv1connect.RunnerServiceClient {
	identify := connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
			if uuid != "" {
				request.Header().Set("x-runner-uuid", uuid)
				request.Header().Set("x-runner-token", token)
			}
			return next(ctx, request)
		}
	})
	return runnerv1connect.NewRunnerServiceClient(http.DefaultClient, address+"/api/actions", connect.WithInterceptors(identify))
}

// namesOf returns the names of labels without their execution environments, which are not sent to the server.
func namesOf(labels []string) []string {
	names := make([]string, len(labels))
	for i, label := range labels {
		names[i], _, _ = strings.Cut(label, ":")
	}
	return names
}
