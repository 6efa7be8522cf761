import { describe, expect, it } from 'vitest'
import { giteaEvents, headerEvent, internalEvents, ownEvents } from './event-names'

describe('The events a hook asks for', () => {
  it('are push where it names none', () => {
    expect(internalEvents([])).toEqual(['push'])
  })

  it('are each of the known names, of which only two stand for groups', () => {
    for (const event of [...giteaEvents, ...ownEvents].filter(
      name => !/^(issues|pull_request)$/.test(name),
    )) {
      expect(internalEvents([event])).toEqual([event])
    }
  })

  it('are all of a group for its word', () => {
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

  it('are the plain event alone for an "_only" form', () => {
    expect(internalEvents(['issues_only'])).toEqual(['issues'])
    expect(internalEvents(['pull_request_only'])).toEqual(['pull_request'])
  })

  it('are sorted and told once, whatever the case and order of the words', () => {
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

  it('leave out words that nobody knows, which are not replaced by push', () => {
    expect(internalEvents(['push', 'no_such_event', 'constructor', ''])).toEqual(['push'])
  })

  it('are refused where no word is known, and the words named', () => {
    expect(() => internalEvents(['pushed', ''])).toThrow('no event is called "pushed", ""; ')
  })

  it('never include our own kinds unless they are named', () => {
    const all = internalEvents([...giteaEvents, 'issues', 'pull_request', '*', 'everything'])
    expect(all).toEqual([...giteaEvents])
    expect(internalEvents([...ownEvents])).toEqual([...ownEvents])
  })
})

describe('The word in the headers of a delivery', () => {
  it('is one for all that concerns the issue or the pull request itself', () => {
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

  it('is the same for comments on issues and on pull requests', () => {
    expect(headerEvent('issue_comment')).toBe('issue_comment')
    expect(headerEvent('pull_request_comment')).toBe('issue_comment')
  })

  it('is the name of the event itself for all others', () => {
    for (const event of ['push', 'release', 'repository', 'workflow_run', ...ownEvents] as const) {
      expect(headerEvent(event)).toBe(event)
    }
  })
})
