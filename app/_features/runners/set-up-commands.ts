import { shellWord } from '@/app/_lib/format'

/** How a runner is kept running. */
export type Way = 'program' | 'docker' | 'systemd'

interface SetUpFacts {
  baseUrl: string
  token: string
  labels: readonly string[]
}

export interface SetUpStep {
  title: string
  about?: string
  command: string
}

const registering = ({ baseUrl, token, labels }: SetUpFacts): string =>
  [
    'gitea-runner register --no-interactive',
    `--instance ${shellWord(baseUrl)}`,
    `--token ${token}`,
    ...(labels.length > 0 ? [`--labels ${shellWord(labels.join(','))}`] : []),
  ].join(' \\\n  ')

const unit = `[Unit]
Description=Gitea runner
After=network-online.target

[Service]
User=gitea-runner
WorkingDirectory=/var/lib/gitea-runner
ExecStart=/usr/local/bin/gitea-runner daemon
Restart=always

[Install]
WantedBy=multi-user.target`

/** The commands that set a runner up, in their order. */
export function setUpSteps(way: Way, facts: SetUpFacts): SetUpStep[] {
  switch (way) {
    case 'program':
      return [
        {
          title: 'Register',
          about:
            'In an empty folder, which will hold the runner’s own secret. Older releases are named act_runner.',
          command: registering(facts),
        },
        { title: 'Start', about: 'It goes on until you end it.', command: 'gitea-runner daemon' },
      ]
    case 'docker':
      return [
        {
          title: 'Start',
          about: 'The container registers itself when it starts for the first time.',
          command: [
            'docker run -d --name gitea-runner --restart always',
            `-e GITEA_INSTANCE_URL=${shellWord(facts.baseUrl)}`,
            `-e GITEA_RUNNER_REGISTRATION_TOKEN=${facts.token}`,
            ...(facts.labels.length > 0
              ? [`-e GITEA_RUNNER_LABELS=${shellWord(facts.labels.join(','))}`]
              : []),
            '-v gitea-runner:/data',
            '-v /var/run/docker.sock:/var/run/docker.sock',
            'gitea/act_runner:latest',
          ].join(' \\\n  '),
        },
      ]
    case 'systemd':
      return [
        {
          title: 'Register',
          about: 'As a user of its own, in its own folder.',
          command: [
            'sudo useradd --system --create-home --home-dir /var/lib/gitea-runner gitea-runner',
            `cd /var/lib/gitea-runner && sudo -u gitea-runner ${registering(facts)}`,
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
