'use client'
import type { ReactNode } from 'react'
import { ListRow } from '@/app/_components/box'
import { CommitId } from '@/app/_components/commit-id'
import { CommitMark } from '@/app/_components/commit-mark'
import { CopyButton } from '@/app/_components/copy-button'
import { GitBranchIcon, type Icon, TagIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { fetchBranchCommand, fetchTagCommand } from '@/app/_features/repos/git-commands'
import { codePath, comparePath, type RepoPath } from '@/app/_lib/paths'
import { isolated } from '@/app/_lib/visible-text'
import type { Divergence } from '@/server/code/pages/schema'
import type { TagTip } from '@/server/repos/refs/schema'
import type { BranchTip } from '@/server/repos/schema'
import type { CommitStates } from '@/server/statuses/schema'
import styles from './refs.module.css'

interface RefRowProps {
  path: RepoPath
  kind: 'branch' | 'tag'
  /** Checkbox that selects the row. */
  check?: ReactNode
  icon: Icon
  name: string
  /** Summary line of the commit or tag message. */
  message: string
  author?: string
  sha: string
  /** States of the checks of commits. */
  states: CommitStates
  time: string
  fetchCommand: string
  /** Label to show next to the name. */
  label?: ReactNode
  /** More about the branch or tag. */
  facts?: ReactNode
  action?: ReactNode
}

/** Row for a branch or tag, with the commit it points to. */
function RefRow(props: RefRowProps): ReactNode {
  const {
    path,
    kind,
    check,
    icon: Visual,
    name,
    message,
    author,
    sha,
    states,
    time,
    fetchCommand,
    label,
    facts,
    action,
  } = props
  const full_name = `${path.owner}/${path.repo}`
  return (
    <ListRow check={check} visual={<Visual />} action={action}>
      <h3 className={styles.name}>
        <QuietLink href={codePath({ full_name }, 'src', { kind, name })}>
          <bdi>{name}</bdi>
        </QuietLink>{' '}
        {label}
      </h3>
      {message ? (
        <p className={styles.message}>
          <bdi>{message}</bdi>
        </p>
      ) : null}
      <p className={styles.facts}>
        {author ? <bdi>{author}</bdi> : null}
        <RelativeDate value={time} />
        {facts}
        <span className={styles.copied}>
          <CommitMark repository={{ full_name }} sha={sha} states={states} />
          <CommitId repository={{ full_name }} sha={sha} copy />
        </span>
        <span className={styles.copied}>
          <code>{fetchCommand}</code>
          <CopyButton text={fetchCommand} what={`command to fetch ${name}`} />
        </span>
      </p>
    </ListRow>
  )
}

interface BranchRowProps {
  path: RepoPath
  branch: BranchTip
  states: CommitStates
  isDefault: boolean
  defaultBranch: string
  /** Null if it is not known yet, and for the default branch. */
  divergence: Divergence | null
  check?: ReactNode
  action?: ReactNode
}

export function BranchRow(props: BranchRowProps): ReactNode {
  const { path, branch, states, isDefault, defaultBranch, divergence, check, action } = props
  const { name } = branch
  return (
    <RefRow
      path={path}
      kind="branch"
      check={check}
      icon={GitBranchIcon}
      name={name}
      message={branch.summary}
      author={branch.author}
      sha={branch.sha}
      states={states}
      time={branch.time}
      fetchCommand={fetchBranchCommand(name)}
      label={isDefault ? <Label variant="accent">Default</Label> : null}
      facts={
        divergence ? (
          <DivergenceFact path={path} name={name} defaultBranch={defaultBranch} {...divergence} />
        ) : null
      }
      action={action}
    />
  )
}

interface DivergenceFactProps extends Divergence {
  path: RepoPath
  name: string
  defaultBranch: string
}

/** By how many commits a branch is ahead and behind, with a link to the comparison. */
function DivergenceFact({ path, name, defaultBranch, ahead, behind }: DivergenceFactProps): ReactNode {
  const text =
    [ahead > 0 ? `${shownCount(ahead)} ahead` : '', behind > 0 ? `${shownCount(behind)} behind` : '']
      .filter(Boolean)
      .join(', ') || 'Up to date'
  return (
    <QuietLink
      href={comparePath({ full_name: `${path.owner}/${path.repo}` }, defaultBranch, name)}
      name={`${text}: compare ${isolated(name)} with ${isolated(defaultBranch)}`}
    >
      {text}
    </QuietLink>
  )
}

// The server counts one more than it shows.
const maxShown = 1000
const shownCount = (count: number): string => (count > maxShown ? `${maxShown}+` : String(count))

interface TagRowProps {
  path: RepoPath
  tag: TagTip
  states: CommitStates
  check?: ReactNode
  action?: ReactNode
}

export function TagRow({
  path,
  tag: { name, summary, sha, time },
  states,
  check,
  action,
}: TagRowProps): ReactNode {
  return (
    <RefRow
      path={path}
      kind="tag"
      check={check}
      icon={TagIcon}
      name={name}
      message={summary}
      sha={sha}
      states={states}
      time={time}
      fetchCommand={fetchTagCommand(name)}
      action={action}
    />
  )
}

/** Places the actions for a branch or tag next to each other. */
export function RefActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>
}
