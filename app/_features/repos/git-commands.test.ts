import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellWord } from '@/app/_lib/format'
import { fetchBranchCommand, fetchTagCommand } from './git-commands'

it.each(['main', 'release/2.0', 'v1.0-rc.1'])('%s stands in a command as it is', name => {
  expect(shellWord(name)).toBe(name)
})

it.each(['a b', 'x;touch pwned', '$(id)', '`id`', "it's", "''", 'a&b', '<>|*?!', '"', 'é', '#'])(
  'a shell reads %j back as one word',
  name => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(name)}`]).toString()).toBe(name)
  },
)

it('a branch or tag that begins with a dash is not taken for an option', () => {
  expect(fetchBranchCommand('--upload-pack=x')).toBe('git fetch origin refs/heads/--upload-pack=x')
  expect(fetchTagCommand('-v')).toBe('git fetch origin refs/tags/-v')
})
