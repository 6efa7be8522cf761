import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { editPath } from '@/app/_lib/paths'
import { currentSession } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'
import { CloneBox } from './clone-box'
import styles from './home.module.css'

interface EmptyHomeProps {
  home: RepositoryHome
  /** Whether the viewer can add files here. */
  isEditable: boolean
}

/** Home page of an empty repository. It shows viewers who can push how to push a first commit. */
export async function EmptyHome({ home, isEditable }: EmptyHomeProps): Promise<ReactNode> {
  const { repository, may_push: mayPush } = home
  const isSignedIn = (await currentSession()) !== null
  return (
    <>
      <p className={styles.lead}>This repository is empty.</p>
      {isEditable ? (
        <p className={styles.offer}>
          <TextLink href={editPath(repository, 'new', repository.default_branch, '')} inline>
            Create a file
          </TextLink>{' '}
          or{' '}
          <TextLink href={editPath(repository, 'upload', repository.default_branch, '')} inline>
            upload files
          </TextLink>{' '}
          here, or push a first commit.
        </p>
      ) : null}
      <CloneBox repository={repository} start={mayPush && isSignedIn} />
    </>
  )
}
