'use client'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { RepositoryLink } from '@/app/_components/repository-name'
import { UserAvatar } from '@/app/_components/user-avatar'
import { releasePath } from '@/app/_lib/paths'
import type { Activity } from '@/server/activity/schema'
import styles from './activity.module.css'
import { readPush } from './push-content'

interface ActivityListProps {
  items: readonly Activity[]
  /** Text shown if there is no activity. */
  empty: string
}

/** List of activity with one sentence per entry, newest first. */
export function ActivityList({ items, empty }: ActivityListProps): ReactNode {
  if (items.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <ul className={styles.list}>
      {items.map(activity => (
        <ActivityRow key={activity.id} activity={activity} />
      ))}
    </ul>
  )
}

function ActivityRow({ activity }: { activity: Activity }): ReactNode {
  const { act_user, created } = activity
  const push = activity.op_type === 'commit_repo' ? readPush(activity.content) : undefined
  // A deleted account has no page to link to.
  const isDeleted = act_user.id < 1
  return (
    <li className={styles.row}>
      <UserAvatar id={Math.max(act_user.id, 0)} size={24} />
      <div className={styles.events}>
        <p>
          <strong>
            {isDeleted ? act_user.login : <QuietLink href={`/${act_user.login}`}>{act_user.login}</QuietLink>}
          </strong>{' '}
          <ActivitySentence activity={activity} />
        </p>
        {push?.message ? (
          <p className={styles.message}>
            <bdi>{push.message}</bdi>
          </p>
        ) : null}
        <p className={styles.facts}>
          <RelativeDate value={created} />
          {push?.sha ? (
            <>
              <code>{push.sha.slice(0, 10)}</code>
              <CopyButton text={push.sha} what="commit ID" />
            </>
          ) : null}
        </p>
      </div>
    </li>
  )
}

/** Rest of the sentence after the person's name, such as "pushed 3 commits to main in acme/site". */
function ActivitySentence({ activity }: { activity: Activity }): ReactNode {
  const { op_type, ref_name, content, repo } = activity
  const where = <RepositoryLink repository={repo} inline />
  const name = ref_name.replace(/^refs\/(heads|tags)\//, '')
  const ref = (
    <bdi>
      <code className={styles.ref}>{name}</code>
    </bdi>
  )
  switch (op_type) {
    case 'create_repo':
      return <>created the repository {where}</>
    case 'transfer_repo':
      return (
        <>
          transferred {content ? <strong>{content}</strong> : 'a repository'} to {where}
        </>
      )
    case 'commit_repo': {
      const push = readPush(content)
      if (!push)
        return (
          <>
            created the branch {ref} in {where}
          </>
        )
      return push.commits === 0 ? (
        <>
          pushed to {ref} in {where}
        </>
      ) : (
        <>
          pushed {countOf(push.commits)} to {ref} in {where}
        </>
      )
    }
    case 'push_tag':
      return (
        <>
          pushed the tag {ref} to {where}
        </>
      )
    case 'delete_branch':
      return (
        <>
          deleted the branch {ref} in {where}
        </>
      )
    case 'delete_tag':
      return (
        <>
          deleted the tag {ref} in {where}
        </>
      )
    case 'publish_release':
      return (
        <>
          published the release{' '}
          <strong>
            <bdi>
              <QuietLink href={releasePath(repo, name)}>{content || name}</QuietLink>
            </bdi>
          </strong>{' '}
          in {where}
        </>
      )
  }
}

const countOf = (commits: number): string =>
  commits === 1 ? '1 commit' : `${commits.toLocaleString('en-US')} commits`
