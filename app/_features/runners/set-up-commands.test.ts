import { expect, it } from 'vitest'
import { isLocal, setUpSteps } from './set-up-commands'

const facts = { baseUrl: 'https://forge.example.test', token: 'TOKEN', labels: ['linux', 'gpu large'] }

it('writes commands that a shell reads as they are meant', () => {
  const [register, start] = setUpSteps('program', facts)
  expect(register?.command).toBe(
    [
      'gitea-runner register --no-interactive',
      '--instance https://forge.example.test',
      '--token TOKEN',
      "--labels 'linux,gpu large'",
    ].join(' \\\n  '),
  )
  expect(start?.command).toBe('gitea-runner daemon')
  const [docker] = setUpSteps('docker', { ...facts, labels: [] })
  expect(docker?.command).toContain('-e GITEA_RUNNER_REGISTRATION_TOKEN=TOKEN')
  expect(docker?.command).not.toContain('LABELS')
})

it('knows addresses that only this machine reaches', () => {
  expect(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:1'].map(isLocal)).toEqual([
    true,
    true,
    true,
  ])
  expect(isLocal('https://forge.example.test')).toBe(false)
})
