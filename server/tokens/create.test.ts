import { expect, it } from 'vitest'
import type { Credential } from '@/server/kernel/caller'
import type { Scope } from '@/server/kernel/scopes'
import { wantedScopes } from './create'

const token = (...scopes: Scope[]): Credential => ({
  kind: 'token',
  tokenId: 1,
  scopes,
  expiresAt: null,
  fromBasic: true,
})

it('a password or session may hand out everything', () => {
  expect(wantedScopes(['all'], { kind: 'password' })).toEqual(['all'])
  expect(wantedScopes(['write:admin'], { kind: 'session', sessionId: 1 })).toEqual(['write:admin'])
})

it('a token hands out no more than it holds', () => {
  expect(wantedScopes(['read:user'], token('write:user'))).toEqual(['read:user'])
  expect(() => wantedScopes(['write:user'], token('read:user'))).toThrow(/broader scope/)
  expect(() => wantedScopes(['all'], token('write:user'))).toThrow(/broader scope/)
})

it('an unknown word is named before anything else is judged', () => {
  expect(() => wantedScopes(['write:everything', 'all'], token('read:user'))).toThrow(
    'invalid access token scope provided: write:everything',
  )
})

it.each([undefined, []])('%j is no scope', words => {
  expect(() => wantedScopes(words, { kind: 'password' })).toThrow('access token must have a scope')
})
