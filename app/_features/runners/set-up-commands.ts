import { shellWord } from '@/app/_lib/format'

/** How a runner is installed and kept running. */
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
// By its path, as the one that sudo searches may be another.
const program = '/usr/local/bin/gitea-runner'
const home = '/var/lib/gitea-runner'

const install: SetupStep = {
  title: 'Install',
  about: 'The program for Linux on x86-64. Other systems and later releases:',
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

/** The commands that set a runner up, in their order. */
export function setupSteps(method: SetupMethod, facts: SetupFacts): SetupStep[] {
  switch (method) {
    case 'program':
      return [
        install,
        {
          title: 'Register',
          about: 'In an empty folder, which will hold the runner’s own secret.',
          command: registerWith('gitea-runner', facts),
        },
        { title: 'Start', about: 'It runs until you stop it.', command: 'gitea-runner daemon' },
      ]
    case 'docker':
      return [
        {
          title: 'Start',
          about:
            'The container registers itself when it starts for the first time. Docker’s socket lets jobs control Docker, and through it the whole machine.',
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
          about: 'As a separate user, in its own folder.',
          command: [
            `sudo useradd --system --create-home --home-dir ${home} gitea-runner`,
            // The folder may be closed to everyone else.
            `sudo -u gitea-runner sh -c ${shellWord(`cd ${home} && ${registerWith(program, facts)}`)}`,
          ].join('\n'),
        },
        { title: 'Save as /etc/systemd/system/gitea-runner.service', command: unit },
        { title: 'Start', command: 'sudo systemctl enable --now gitea-runner' },
      ]
  }
}

/** Whether others than this machine cannot reach the address, such as a container on it. */
export function isLocal(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
