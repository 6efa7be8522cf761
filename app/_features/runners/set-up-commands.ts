import { shellWord } from '@/app/_lib/format'

/** Method to install a runner and keep it running. */
export type SetupMethod = 'program' | 'docker' | 'systemd'

interface SetupFacts {
  baseUrl: string
  token: string
  labels: readonly string[]
}

export interface SetupStep {
  title: string
  about?: string
  link?: { href: string; label: string }
  command: string
}

const version = '3.3.2'
const releases = 'https://dl.gitea.com/gitea-runner'
// The full path, because sudo may search other directories and find another binary.
const program = '/usr/local/bin/gitea-runner'
const home = '/var/lib/gitea-runner'

const install: SetupStep = {
  title: 'Install',
  about: 'For Linux on x86-64. For other platforms and later releases, see:',
  link: { href: `${releases}/`, label: 'dl.gitea.com/gitea-runner' },
  command: [
    `curl -fsSLo gitea-runner ${releases}/${version}/gitea-runner-${version}-linux-amd64`,
    `sudo install gitea-runner ${program}`,
  ].join('\n'),
}

const registerWith = (path: string, { baseUrl, token, labels }: SetupFacts): string =>
  [
    `${path} register --no-interactive`,
    `--instance ${shellWord(baseUrl)}`,
    `--token ${token}`,
    ...(labels.length > 0 ? [`--labels ${shellWord(labels.join(','))}`] : []),
  ].join(' \\\n  ')

const unit = `[Unit]
Description=Gitea runner
Wants=network-online.target
After=network-online.target

[Service]
User=gitea-runner
WorkingDirectory=${home}
ExecStart=${program} daemon
Restart=always

[Install]
WantedBy=multi-user.target`

/** Returns the steps that set up a runner, in order. */
export function setupSteps(method: SetupMethod, facts: SetupFacts): SetupStep[] {
  switch (method) {
    case 'program':
      return [
        install,
        {
          title: 'Register',
          about: 'Run this in an empty folder; the runner saves its credentials there.',
          command: registerWith('gitea-runner', facts),
        },
        { title: 'Start', about: 'Runs until you stop it.', command: 'gitea-runner daemon' },
      ]
    case 'docker':
      return [
        {
          title: 'Start',
          about:
            'The container registers itself when it first starts. Access to the Docker socket lets jobs control Docker and, through it, the whole machine.',
          command: [
            'docker run -d --name gitea-runner --restart always',
            `-e GITEA_INSTANCE_URL=${shellWord(facts.baseUrl)}`,
            `-e GITEA_RUNNER_REGISTRATION_TOKEN=${facts.token}`,
            ...(facts.labels.length > 0
              ? [`-e GITEA_RUNNER_LABELS=${shellWord(facts.labels.join(','))}`]
              : []),
            '-v gitea-runner:/data',
            '-v /var/run/docker.sock:/var/run/docker.sock',
            'gitea/runner:latest',
          ].join(' \\\n  '),
        },
      ]
    case 'systemd':
      return [
        install,
        {
          title: 'Register',
          about: 'Creates a separate user with its own folder.',
          command: [
            `sudo useradd --system --create-home --home-dir ${home} gitea-runner`,
            // Other users may not be able to enter the folder.
            `sudo -u gitea-runner sh -c ${shellWord(`cd ${home} && ${registerWith(program, facts)}`)}`,
          ].join('\n'),
        },
        { title: 'Save as /etc/systemd/system/gitea-runner.service', command: unit },
        { title: 'Start', command: 'sudo systemctl enable --now gitea-runner' },
      ]
  }
}

/** Whether a URL can only be reached from the same host, and so not from a container on it. */
export function isLocal(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
