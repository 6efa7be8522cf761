import { describe, expect, it } from 'vitest'
import { giteaEvents, ownEvents } from '@/server/hooks/event-names'
import { hookKinds, hookTypeOf } from '@/server/hooks/payload'
import { allEvents, choiceOf, eventLabels, eventsLabel, offeredGroups, unsentEvents } from './event-labels'

describe('offeredGroups and unsentEvents', () => {
  it('offer exactly the events that this site sends and list all others separately', () => {
    const sent = new Set(hookKinds.map(hookTypeOf))
    const offered = (['organization', 'repository', 'own', 'site'] as const).flatMap(kind =>
      offeredGroups(kind).flatMap(({ events }) => events),
    )
    expect(new Set(offered)).toEqual(sent)
    expect(offeredGroups('repository').flatMap(({ events }) => events)).not.toContain('team')
    expect(unsentEvents('repository')).toContain('team')
  })

  it('have labels for every event', () => {
    expect(Object.keys(eventLabels).sort()).toEqual([...giteaEvents, ...ownEvents].sort())
  })
})

describe("the label of a hook's events", () => {
  it.each([
    [['push'], 'Pushes'],
    [['release', 'push', 'key'], 'Pushes, releases, SSH keys'],
    [
      ['delete', 'push', 'create', 'repository'],
      'Pushes, created branches and tags, deleted branches and tags, repositories',
    ],
    [
      ['delete', 'push', 'create', 'repository', 'team'],
      'Pushes, created branches and tags, deleted branches and tags, and 2 more',
    ],
    [[...allEvents], 'All events'],
    [[], 'No events'],
  ])('for %j is "%s"', (events, text) => expect(eventsLabel(events)).toBe(text))

  it('distinguishes pushes only, all events, and selected events', () => {
    expect(choiceOf(['push'])).toBe('push')
    expect(choiceOf(allEvents)).toBe('all')
    expect(choiceOf(allEvents.slice(1))).toBe('selected')
  })
})
