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

it('wantedScopes allows every scope to a password or session', () => {
  expect(wantedScopes(['all'], { kind: 'password' })).toEqual(['all'])
  expect(wantedScopes(['write:admin'], { kind: 'session', sessionId: 1 })).toEqual(['write:admin'])
})

it('wantedScopes allows a token no scope that it does not have', () => {
  expect(wantedScopes(['read:user'], token('write:user'))).toEqual(['read:user'])
  expect(() => wantedScopes(['write:user'], token('read:user'))).toThrow(/broader scope/)
  expect(() => wantedScopes(['all'], token('write:user'))).toThrow(/broader scope/)
})

it('wantedScopes names an unknown scope before it checks anything else', () => {
  expect(() => wantedScopes(['write:everything', 'all'], token('read:user'))).toThrow(
    'invalid access token scope provided: write:everything',
  )
})

it.each([undefined, []])('wantedScopes refuses %j', words => {
  expect(() => wantedScopes(words, { kind: 'password' })).toThrow('access token must have a scope')
})
