'use client'
import type { ReactNode } from 'react'
import { RepositoryLink } from '@/app/_components/repository-name'
import type { Activity } from '@/server/activity/schema'
import styles from './activity.module.css'
import { readPush } from './push-content'

/** What somebody did, after their name: "pushed 3 commits to main in acme/site". */
export function ActivitySentence({ activity }: { activity: Activity }): ReactNode {
  const { op_type, ref_name, content, repo } = activity
  const where = <RepositoryLink repository={repo} inline />
  const ref = <code className={styles.ref}>{ref_name.replace(/^refs\/(heads|tags)\//, '')}</code>
  switch (op_type) {
    case 'create_repo':
      return <>created the repository {where}</>
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
          moved {ref} in {where}
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
          deleted the branch {ref} of {where}
        </>
      )
    case 'delete_tag':
      return (
        <>
          deleted the tag {ref} of {where}
        </>
      )
    case 'publish_release':
      return (
        <>
          published the release {content ? <strong>{content}</strong> : ref} of {where}
        </>
      )
  }
}

const countOf = (commits: number): string =>
  commits === 1 ? '1 commit' : `${commits.toLocaleString('en-US')} commits`
