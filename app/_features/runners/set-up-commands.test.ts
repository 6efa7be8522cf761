import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { isLocal, type SetupMethod, setupSteps } from './set-up-commands'

const facts = { baseUrl: 'https://forge.example.test', token: 'TOKEN', labels: ['linux', 'gpu large'] }
const commandOf = (method: SetupMethod, title: string, labels = facts.labels) =>
  setupSteps(method, { ...facts, labels }).find(step => step.title === title)?.command ?? ''

/** Returns the words that a shell passes to the runner binary, one per line. */
function shellWordsOf(command: string): string[] {
  const stubs = [
    `program() { printf '%s\\n' "$@"; }`,
    `cd() { :; }`,
    `sudo() { [ "$1 $3 $4" = '-u sh -c' ] && eval "$5"; }`,
  ]
  const called = command.replace(/\S*gitea-runner register/, 'program register')
  const output = execFileSync('sh', ['-c', [...stubs, called].join('\n')], { encoding: 'utf8' })
  return output.trim().split('\n')
}

it.each(['program', 'systemd'] as const)(
  'setupSteps for method %s registers the runner with exactly the typed labels',
  method => {
    expect(shellWordsOf(commandOf(method, 'Register'))).toEqual([
      ...['register', '--no-interactive', '--instance', 'https://forge.example.test'],
      ...['--token', 'TOKEN', '--labels', 'linux,gpu large'],
    ])
  },
)

it('setupSteps for systemd enters the runner user’s folder as that user', () => {
  expect(commandOf('systemd', 'Register')).toContain(
    "sudo -u gitea-runner sh -c 'cd /var/lib/gitea-runner && ",
  )
})

it('setupSteps for docker runs the image of the same runner that the other methods install', () => {
  const command = commandOf('docker', 'Start')
  expect(command).toContain('-e GITEA_RUNNER_REGISTRATION_TOKEN=TOKEN')
  expect(command).toMatch(/ gitea\/runner:latest$/)
  expect(commandOf('docker', 'Start', [])).not.toContain('LABELS')
})

it('isLocal is true only for loopback addresses', () => {
  expect(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:1'].map(isLocal)).toEqual([
    true,
    true,
    true,
  ])
  expect(isLocal('https://forge.example.test')).toBe(false)
})
