import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { editPath } from '@/app/_lib/paths'
import { currentSession } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'
import { CloneBox } from './clone-box'
import styles from './home.module.css'

/** Home page of an empty repository. It shows viewers who can push how to make a first commit. */
export async function EmptyHome({
  home: { repository, may_push: mayPush },
}: {
  home: RepositoryHome
}): Promise<ReactNode> {
  const start = mayPush && (await currentSession()) !== null
  return (
    <>
      <p className={styles.lead}>This repository is empty.</p>
      {start ? (
        <p>
          <TextLink href={editPath(repository, '_upload', repository.default_branch, '')} inline>
            Upload files
          </TextLink>{' '}
          or push with Git.
        </p>
      ) : null}
      <CloneBox repository={repository} start={start} />
    </>
  )
}
