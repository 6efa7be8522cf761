import { expect, it } from 'vitest'
import { hookTitle } from './hook-title'

const unnamed = { name: '', target: 'ci.example.com:443', type: 'gitea' }

it.each([
  ['https://ci.example.com', 'ci.example.com'],
  ['https://ci.example.com/build?token=sesame', 'ci.example.com/build?…'],
  [
    `https://ci.example.com/${'a'.repeat(60)}/lint`,
    `ci.example.com/${'a'.repeat(22)}…${'a'.repeat(11)}/lint`,
  ],
  ['https://ci.example.com/\u202egnp', 'ci.example.com/%E2%80%AEgnp'],
  ['https://somebody:sesame@ci.example.com/lint', 'ci.example.com/lint'],
])('hookTitle shortens the URL of an unnamed webhook from %s to %s', (url, title) =>
  expect(hookTitle({ ...unnamed, url })).toBe(title),
)

it('hookTitle reveals only the last characters of an unnamed chat webhook’s URL', () => {
  const target = 'hooks.slack.com:443'
  const url = 'https://hooks.slack.com/services/T00/B00/sesame1234'
  expect(hookTitle({ name: '', target, type: 'slack', url })).toBe('hooks.slack.com/…1234')
})

it('hookTitle makes invisible characters in a name visible', () => {
  expect(hookTitle({ ...unnamed, name: 'a\u202eb' })).toBe(String.raw`a\u202eb`)
})
