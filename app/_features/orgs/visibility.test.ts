import { describe, expect, it } from 'vitest'
import { visibilityEffect } from './visibility'

const none = { total: 0, names: [] }
const some = { total: 5, names: ['engine', 'guide', 'hull'] }

describe('before an organization gets another visibility, it is said', () => {
  it.each([
    ['private', 'public', 'everyone, signed in or not,'],
    ['limited', 'public', 'everyone, signed in or not,'],
    ['private', 'limited', 'everyone who is signed in'],
  ] as const)('who sees it, from %s to %s, and which repositories', (before, after, audience) => {
    expect(visibilityEffect('acme', before, after, some)).toEqual([
      `At once, ${audience} can see acme and who is a member publicly.`,
      'They can see and clone 5 repositories that are not private: engine, guide, hull and 2 more. That includes every branch and tag and the whole history.',
      'Look for passwords and keys in old commits first. What was cloned cannot be taken back.',
    ])
  })

  it.each([
    ['public', 'private', 'whoever is not a member, signed in or not,'],
    ['limited', 'private', 'whoever is not a member'],
    ['public', 'limited', 'whoever is not signed in'],
  ] as const)('who sees it no longer, from %s to %s, nor which repositories', (before, after, strangers) => {
    expect(visibilityEffect('acme', before, after, { total: 1, names: ['engine'] })).toEqual([
      `At once, ${strangers} can no longer see acme.`,
      'They can no longer see 1 repository either, except what they were given access to: engine.',
      'Copies that were cloned before stay where they are.',
    ])
  })

  it('when no repository comes into it', () => {
    expect(visibilityEffect('acme', 'private', 'public', none)).toEqual([
      'At once, everyone, signed in or not, can see acme and who is a member publicly.',
      'No repository becomes visible with it: it has none that is not private.',
    ])
    expect(visibilityEffect('acme', 'public', 'limited', none)).toHaveLength(1)
  })
})
