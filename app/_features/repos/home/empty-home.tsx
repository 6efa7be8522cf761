import type { ReactNode } from 'react'
import { currentSession } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'
import { CloneBox } from './clone-box'
import styles from './home.module.css'

/** The home page of an empty repository: how to begin, for those who may push. */
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
