import { describe, expect, it } from 'vitest'
import { visibilityEffect } from './visibility'

const none = { total: 0, names: [] }
const some = { total: 5, names: ['engine', 'guide', 'hull'] }

describe('visibilityEffect', () => {
  it.each([
    ['private', 'public', 'Anyone, signed in or not,'],
    ['limited', 'public', 'Anyone, signed in or not,'],
    ['private', 'limited', 'Anyone who is signed in'],
  ] as const)(
    'names who gains access, and to which repositories, when an organization changes from %s to %s',
    (before, after, audience) => {
      expect(visibilityEffect('acme', before, after, some)).toEqual([
        `${audience} will be able to see acme and its public members.`,
        'They’ll also be able to see and clone 5 repositories that aren’t private: engine, guide, hull and 2 more. This includes all branches, tags, and history.',
        'Check old commits for passwords and keys first. You can’t take back what others have cloned.',
      ])
    },
  )

  it.each([
    ['public', 'private', 'People who aren’t members, signed in or not,'],
    ['limited', 'private', 'People who aren’t members'],
    ['public', 'limited', 'People who aren’t signed in'],
  ] as const)(
    'names who loses access, and to which repositories, when an organization changes from %s to %s',
    (before, after, strangers) => {
      expect(visibilityEffect('acme', before, after, { total: 1, names: ['engine'] })).toEqual([
        `${strangers} will no longer be able to see acme.`,
        'They’ll also lose access to 1 repository: engine. Collaborators keep their access.',
        'Existing clones aren’t affected.',
      ])
    },
  )

  it('names no repositories if the organization has none that are not private', () => {
    expect(visibilityEffect('acme', 'private', 'public', none)).toEqual([
      'Anyone, signed in or not, will be able to see acme and its public members.',
      'No repositories will become visible. Any repositories the organization owns are private.',
    ])
    expect(visibilityEffect('acme', 'public', 'limited', none)).toHaveLength(1)
  })
})
