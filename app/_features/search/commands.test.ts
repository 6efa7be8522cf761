import { expect, it } from 'vitest'
import { type Command, matchingCommands } from './commands'

const commands: Command[] = [
  { kind: 'command', text: 'New repository', href: '/-/new', also: 'create add' },
  { kind: 'command', text: 'Theme: dark', href: 'command:dark', also: 'switch appearance' },
  { kind: 'command', text: 'Sign out', href: 'command:sign-out', also: 'log out' },
]
const found = (...terms: string[]) => matchingCommands(commands, terms).map(({ text }) => text)

it('matchingCommands finds a command by the beginnings of its words in any order, and by synonyms', () => {
  expect(found('repo', 'new')).toEqual(['New repository'])
  expect(found('switch', 'th')).toEqual(['Theme: dark'])
  expect(found('log')).toEqual(['Sign out'])
  expect(found('create', 'repository')).toEqual(['New repository'])
})

it('matchingCommands finds no command by letters from the middle of a word', () => {
  expect(found('pository')).toEqual([])
  expect(found('engine')).toEqual([])
  expect(found('new', 'engine')).toEqual([])
})
