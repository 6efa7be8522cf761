import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { jobPath, runPath } from '@/app/_lib/paths'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import type { GroupMember, LostGroup, ShownGroup } from '@/server/actions/runs/schema'

interface ConcurrencyGroupProps {
  repository: { full_name: string }
  /** ID of the run that the page shows. */
  run: number
  group: ShownGroup
}

/** Name of a concurrency group, with links to what has it and to what waits for it. */
export function ConcurrencyGroup({ repository, run, group }: ConcurrencyGroupProps): ReactNode {
  const { holder, waiting } = group
  return (
    <span>
      <bdi>{visibleLine(group.name)}</bdi>
      {holder ? (
        <>
          , in use by <Member repository={repository} shown={run} member={holder} />
        </>
      ) : null}
      {waiting.length > 0 ? (
        <>
          ; waiting:{' '}
          {waiting.map((member, index) => (
            <span key={`${member.run.id} ${member.job?.id}`}>
              {index > 0 ? ', ' : null}
              <Member repository={repository} shown={run} member={member} />
            </span>
          ))}
        </>
      ) : null}
    </span>
  )
}

interface MemberProps {
  repository: { full_name: string }
  /** ID of the run that the page shows. */
  shown: number
  member: GroupMember
}

function Member({ repository, shown, member: { run, job } }: MemberProps): ReactNode {
  const isShown = run.id === shown
  if (isShown && !job) return 'this run'
  return (
    <QuietLink href={job ? jobPath(repository, run.id, job.id) : runPath(repository, run.id)} inline>
      {job ? `${isolated(job.name)} of ${isShown ? 'this run' : `#${run.number}`}` : `run #${run.number}`}
    </QuietLink>
  )
}

interface LostConcurrencyGroupProps {
  repository: { full_name: string }
  lost: LostGroup
}

/** Name of the concurrency group because of which a run was canceled, with a link to the run that took its place. */
export function LostConcurrencyGroup({
  repository,
  lost: { group, how, by },
}: LostConcurrencyGroupProps): ReactNode {
  const text = by && `run #${by.number}`
  return (
    <span>
      <bdi>{visibleLine(group)}</bdi>, {lossText[how]}{' '}
      {by?.id ? (
        <QuietLink href={runPath(repository, by.id)} inline>
          {text}
        </QuietLink>
      ) : (
        text
      )}
    </span>
  )
}

const lossText: Record<LostGroup['how'], string> = {
  replaced: 'replaced by',
  superseded: 'canceled in favor of',
  full: 'too many others were waiting',
}
