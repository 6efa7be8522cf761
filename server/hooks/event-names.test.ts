import { describe, expect, it } from 'vitest'
import { giteaEvents, headerEvent, internalEvents, ownEvents } from './event-names'

describe('internalEvents', () => {
  it('returns push if there are no names', () => {
    expect(internalEvents([])).toEqual(['push'])
  })

  it('returns each known name unchanged, except the two group names', () => {
    for (const event of [...giteaEvents, ...ownEvents].filter(
      name => !/^(issues|pull_request)$/.test(name),
    )) {
      expect(internalEvents([event])).toEqual([event])
    }
  })

  it('expands a group name to all of its events', () => {
    expect(internalEvents(['issues'])).toEqual([
      'issue_assign',
      'issue_comment',
      'issue_label',
      'issue_milestone',
      'issues',
    ])
    expect(internalEvents(['pull_request'])).toEqual(
      giteaEvents.filter(event => event.startsWith('pull_request')),
    )
  })

  it('returns a single event for an "_only" name', () => {
    expect(internalEvents(['issues_only'])).toEqual(['issues'])
    expect(internalEvents(['pull_request_only'])).toEqual(['pull_request'])
  })

  it('returns sorted, distinct names regardless of the case and order of the words', () => {
    expect(internalEvents(['Release', 'PUSH', 'issues_only', 'issues', 'push', 'TEAM'])).toEqual([
      'issue_assign',
      'issue_comment',
      'issue_label',
      'issue_milestone',
      'issues',
      'push',
      'release',
      'team',
    ])
  })

  it('ignores unknown words next to known ones', () => {
    expect(internalEvents(['push', 'no_such_event', 'constructor', ''])).toEqual(['push'])
  })

  it('throws an error that names the words if none is known', () => {
    expect(() => internalEvents(['pushed', ''])).toThrow('There is no event named "pushed", "". ')
  })

  it('includes events that only Guildhall has only if they are named', () => {
    const all = internalEvents([...giteaEvents, 'issues', 'pull_request', '*', 'everything'])
    expect(all).toEqual([...giteaEvents])
    expect(internalEvents([...ownEvents])).toEqual([...ownEvents])
  })
})

describe('headerEvent', () => {
  it('returns a common name for the events of an issue, and for those of a pull request', () => {
    const under = (word: string) => giteaEvents.filter(event => headerEvent(event) === word)
    expect(under('issues')).toEqual(['issue_assign', 'issue_label', 'issue_milestone', 'issues'])
    expect(under('pull_request')).toEqual([
      'pull_request',
      'pull_request_assign',
      'pull_request_label',
      'pull_request_milestone',
      'pull_request_review_request',
      'pull_request_sync',
    ])
  })

  it('returns the same name for comments on issues and on pull requests', () => {
    expect(headerEvent('issue_comment')).toBe('issue_comment')
    expect(headerEvent('pull_request_comment')).toBe('issue_comment')
  })

  it('returns the event itself for all other events', () => {
    for (const event of ['push', 'release', 'repository', 'workflow_run', ...ownEvents] as const) {
      expect(headerEvent(event)).toBe(event)
    }
  })
})
