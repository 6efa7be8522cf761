import { expect, it } from 'vitest'
import { testCommand } from './ssh-commands'

it('the command that tests a key names the port unless it is the usual one', () => {
  const address = { user: 'git', host: 'forge.example.com', port: 2222 }
  expect(testCommand(address)).toBe('ssh -T -p 2222 git@forge.example.com')
  expect(testCommand({ ...address, port: 22 })).toBe('ssh -T git@forge.example.com')
})
