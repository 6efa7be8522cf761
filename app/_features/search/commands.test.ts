import { expect, it } from 'vitest'
import { type Command, matchingCommands } from './commands'

const commands: Command[] = [
  { kind: 'command', text: 'New repository', href: '/-/new', also: 'create add' },
  { kind: 'command', text: 'Theme: dark', href: 'command:dark', also: 'switch appearance' },
  { kind: 'command', text: 'Sign out', href: 'command:sign-out', also: 'log out' },
]
const found = (...terms: string[]) => matchingCommands(commands, terms).map(({ text }) => text)

it('a command is found by the beginnings of its words in any order, and by other words for it', () => {
  expect(found('repo', 'new')).toEqual(['New repository'])
  expect(found('switch', 'th')).toEqual(['Theme: dark'])
  expect(found('log')).toEqual(['Sign out'])
  expect(found('create', 'repository')).toEqual(['New repository'])
})

it('no command stands in the way of a name that only holds its letters', () => {
  expect(found('pository')).toEqual([])
  expect(found('engine')).toEqual([])
  expect(found('new', 'engine')).toEqual([])
})
