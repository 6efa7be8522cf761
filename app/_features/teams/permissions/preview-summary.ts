import type { TeamPreview } from '@/server/teams/schema'

/** What a preview says in one sentence, and how much of a large team it has looked at. */
export function previewSummary(preview: TeamPreview): string {
  const { members, members_looked_at, members_total, repositories_looked_at, repositories_total } = preview
  const isPart = members_looked_at < members_total || repositories_looked_at < repositories_total
  const scope = isPart
    ? ` Looked at ${part(members_looked_at, members_total)} people and ${part(repositories_looked_at, repositories_total)} repositories.`
    : ''
  return `${affected(preview, members.length)}${scope}`
}

function affected({ members_total, repositories_total }: TeamPreview, people: number): string {
  if (members_total === 0) return 'Nobody: the team has no members yet.'
  if (repositories_total === 0) return 'Nobody: the team has no repositories yet.'
  if (people === 0) return 'Nobody: what changes here, they have or lack by other rights as well.'
  return people === 1 ? '1 person is affected.' : `${people.toLocaleString('en-US')} people are affected.`
}

const part = (some: number, all: number): string =>
  `${some.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`
