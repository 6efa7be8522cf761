import type { ReactNode } from 'react'
import { GuildMark } from '@/app/_components/guild-mark'
import { ButtonLink, TextLink } from '@/app/_components/links'
import { Dashboard } from '@/app/_features/dashboard/dashboard'
import styles from './_features/dashboard/welcome.module.css'
import { repositoryList } from './_lib/lists'
import {
  currentSession,
  instanceStatus,
  listChoiceIn,
  requireSession,
  requireSetUp,
  type SearchParams,
} from './_lib/server'

export default async function StartPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireSetUp()
  if (!(await currentSession())) return <Welcome registration={(await instanceStatus()).registration} />
  const { user } = await requireSession()
  return <Dashboard viewer={user} choice={await listChoiceIn(searchParams, repositoryList)} />
}

/** Home page for visitors who are not signed in. */
function Welcome({ registration }: { registration: boolean }): ReactNode {
  return (
    <div className={styles.welcome}>
      <GuildMark size={72} />
      <h1 className={styles.title}>Guildhall</h1>
      <p className={styles.lead}>Host Git repositories, publish releases, and run workflows.</p>
      <div className={styles.actions}>
        <ButtonLink href="/-/sign-in" variant="primary">
          Sign in
        </ButtonLink>
        {registration ? <ButtonLink href="/-/register">Create an account</ButtonLink> : null}
      </div>
      <p>
        <TextLink href="/explore">Browse public repositories</TextLink>
      </p>
    </div>
  )
}
