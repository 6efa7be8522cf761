'use client'
import type { ReactNode } from 'react'
import { CommitId } from '@/app/_components/commit-id'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { RepositoryLink } from '@/app/_components/repository-name'
import { UserAvatar } from '@/app/_components/user-avatar'
import { comparePath, releasePath } from '@/app/_lib/paths'
import type { Activity } from '@/server/activity/schema'
import styles from './activity.module.css'
import type { PushContent } from './push-content'

/** What a row shows of an entry. */
export interface ShownActivity extends Pick<Activity, 'op_type' | 'ref_name' | 'content' | 'created'> {
  person: Pick<Activity['act_user'], 'id' | 'login'>
  repo: Pick<Activity['repo'], 'full_name'>
  /** Set for a push of commits, instead of `content`. */
  push?: PushContent | undefined
}

/** One sentence about something that happened. */
export function ActivityRow({ activity }: { activity: ShownActivity }): ReactNode {
  const { person, created, push } = activity
  // A deleted account has no page to link to.
  const isDeleted = person.id < 1
  return (
    <li className={styles.row}>
      <UserAvatar id={Math.max(person.id, 0)} size={24} />
      <div className={styles.events}>
        <p>
          <strong>
            {isDeleted ? person.login : <QuietLink href={`/${person.login}`}>{person.login}</QuietLink>}
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
          {push?.sha ? <CommitId repository={activity.repo} sha={push.sha} copy /> : null}
        </p>
      </div>
    </li>
  )
}

/** Rest of the sentence after the person's name, such as "pushed 3 commits to main in acme/site". */
function ActivitySentence({ activity }: { activity: ShownActivity }): ReactNode {
  const { op_type, ref_name, content, repo, push } = activity
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
          pushed{' '}
          {push.before ? (
            <QuietLink href={comparePath(repo, push.before, push.sha)} inline>
              {countOf(push.commits)}
            </QuietLink>
          ) : (
            countOf(push.commits)
          )}{' '}
          to {ref} in {where}
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
