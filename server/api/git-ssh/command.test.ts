import { expect, it } from 'vitest'
import { parseGitCommand } from './command'

const names = { owner: 'ada', repo: 'engine' }

it.each([
  ["git-upload-pack '/ada/engine.git'", 'git-upload-pack'],
  ["git upload-pack '/ada/engine.git'", 'git-upload-pack'],
  ["git-receive-pack 'ada/engine'", 'git-receive-pack'],
  ["git-upload-archive '~/ada/engine.git/'", 'git-upload-archive'],
  ['git-upload-pack ada/engine.git\n', 'git-upload-pack'],
  ["git-upload-pack '//ada/engine.git'", 'git-upload-pack'],
  ["git-receive-pack '/ada//engine.git//'", 'git-receive-pack'],
])('parseGitCommand parses %j as Git and other clients write it', (text, service) => {
  expect(parseGitCommand(text)).toEqual({ service, names })
})

it.each([
  '',
  'ls',
  'git-upload-pack',
  'git-shell -c x',
  "git-upload-pack2 'a/b'",
  "sh -c git-upload-pack '/a/b'",
])('parseGitCommand returns undefined for %j, which is no Git command', text => {
  expect(parseGitCommand(text)).toBeUndefined()
})

it.each([
  "'/ada/engine.git'; ls",
  "'/../../etc/passwd'",
  "'/ada'",
  "'/ada/engine/more'",
  "'/ada/eng'\\''ine.git'",
  "--upload-pack=x 'ada/engine'",
  `'/${'a'.repeat(101)}/b'`,
])('parseGitCommand finds no repository path in %j', path => {
  const command = parseGitCommand(`git-upload-pack ${path}`)
  expect(command).toEqual({ service: 'git-upload-pack', names: undefined })
})
