import { expect, it } from 'vitest'
import { testCommand } from './ssh-commands'

it('testCommand includes the port unless it is 22', () => {
  const address = { user: 'git', host: 'forge.example.com', port: 2222 }
  expect(testCommand(address)).toBe('ssh -T -p 2222 git@forge.example.com')
  expect(testCommand({ ...address, port: 22 })).toBe('ssh -T git@forge.example.com')
})
