import type { ReactNode } from 'react'
import { currentSession } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'
import { CloneBox } from './clone-box'
import styles from './home.module.css'

/** Home page of an empty repository. It shows viewers who can push how to push a first commit. */
export async function EmptyHome({
  home: { repository, may_push: mayPush },
}: {
  home: RepositoryHome
}): Promise<ReactNode> {
  const isSignedIn = (await currentSession()) !== null
  return (
    <>
      <p className={styles.lead}>This repository is empty.</p>
      <CloneBox repository={repository} start={mayPush && isSignedIn} />
    </>
  )
}
