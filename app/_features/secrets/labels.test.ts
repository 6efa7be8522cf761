import { expect, it } from 'vitest'
import { elsewhereDefined } from './labels'

it('elsewhereDefined names the other scopes that can define a secret or variable of the same name', () => {
  const repository = { kind: 'repository', owner: 'ada', repo: 'engine' } as const
  expect(elsewhereDefined(repository, 'secret')).toBe('the owner')
  expect(elsewhereDefined(repository, 'variable')).toBe('the owner or the site')
  expect(elsewhereDefined({ kind: 'own' }, 'secret')).toBe('the repository')
  expect(elsewhereDefined({ kind: 'organization', org: 'guild' }, 'variable')).toBe(
    'the repository or the site',
  )
  expect(elsewhereDefined({ kind: 'site' }, 'variable')).toBe('the repository or its owner')
})
