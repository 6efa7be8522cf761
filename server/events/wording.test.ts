import { expect, it } from 'vitest'
import { eventKinds, type StoredEvent } from './catalogue'
import { describeEvent } from './wording'

it.each([
  [
    { kind: 'key.added', facts: { title: 'laptop', expiresAt: '2030-01-02T03:04:05.000Z' } },
    'added the SSH key “laptop”, which expires on 2030-01-02',
  ],
  [{ kind: 'key.added', facts: { title: 'laptop', expiresAt: null } }, 'added the SSH key “laptop”'],
  [{ kind: 'session.ended', facts: { count: 1_200 } }, 'ended 1,200 sessions'],
  [{ kind: 'session.ended', facts: { sessionId: 3 } }, 'ended a session'],
  [
    { kind: 'account.revoked', facts: { name: 'olga', keys: 1, tokens: 0, sessions: 2 } },
    'revoked all credentials of olga: 1 SSH key, 0 access tokens, and 2 sessions',
  ],
  [
    { kind: 'user.edited', facts: { name: 'olga', changed: 'email full_name' } },
    'changed the account olga (email, full_name)',
  ],
  [
    { kind: 'repository.edited', facts: { name: 'new', formerName: 'old', changed: 'name' } },
    'renamed the repository old to new',
  ],
  [
    {
      kind: 'git.pushed',
      facts: { ref: 'refs/heads/a/b', commits: 1, forced: true, deployKey: { id: 1, title: 'ci' } },
    },
    'force-pushed 1 commit to a/b with the deploy key “ci”',
  ],
  [{ kind: 'git.pushed', facts: { ref: 'refs/heads/a', commits: 3 } }, 'pushed 3 commits to a'],
  [
    {
      kind: 'git.pushed',
      facts: {
        ref: 'refs/heads/a',
        commits: 3,
        byJob: { jobId: 1, runId: 2, runNumber: 12, workflow: 'CI' },
      },
    },
    'pushed 3 commits to a with the token of run #12 of “CI”',
  ],
  [{ kind: 'git.pushed', facts: { ref: 'refs/heads/a', commits: 0 } }, 'moved a'],
  [{ kind: 'git.pushed', facts: { ref: 'refs/tags/v1', commits: 0 } }, 'pushed the tag v1'],
  [
    { kind: 'git.pushed', facts: { ref: 'refs/heads/a', before: '000', commits: 2 } },
    'pushed the new branch a with 2 commits',
  ],
  [{ kind: 'git.pushed', facts: { ref: 'refs/tags/v1', after: '000' } }, 'pushed the deletion of v1'],
  [
    { kind: 'token.created', facts: { name: 'ci', scopes: 'all' } },
    'created the access token “ci” with full access',
  ],
  [{ kind: 'ref.deleted', facts: { ref: 'refs/tags/v1', refType: 'tag' } }, 'deleted the tag v1'],
  [
    { kind: 'run.completed', facts: { number: 4, attempt: 2, conclusion: 'failure' } },
    'completed run #4, attempt 2: failure',
  ],
  [
    { kind: 'hook.disabled', facts: { target: 'a.example:443', why: 'failing' } },
    'disabled the webhook to a.example:443 because its receiver kept failing',
  ],
] as [StoredEvent, string][])('describeEvent describes %j as “… %s”', (event, text) => {
  expect(describeEvent(event)).toBe(text)
})

it.each(eventKinds)('describeEvent describes %s even if an earlier version recorded no facts', kind => {
  const text = describeEvent({ kind, facts: {} } as StoredEvent)
  expect(text).toMatch(/^[a-z]/)
  expect(text).not.toContain('undefined')
})
