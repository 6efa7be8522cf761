import { expect, it } from 'vitest'
import { presetIn, selectedScopes } from './scopes'

const asked = (query: string, isAdmin = false) => {
  const { name, permissions } = presetIn(new URLSearchParams(query), isAdmin)
  return [name, selectedScopes(permissions)]
}

it("a link presets the name and permissions of a new token, except permissions that the person can't select", () => {
  expect(asked('name=api&repository=write&user=read')).toEqual(['api', ['write:repository', 'read:user']])
  expect(asked('repository=all&admin=write&full=1')).toEqual(['', []])
  expect(asked('admin=write', true)).toEqual(['', ['write:admin']])
})
