import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { ButtonLink } from './_components/button-link'
import { GuildMark } from './_components/guild-mark'
import { requireSetUp } from './_lib/gates'
import { currentSession, instanceStatus } from './_lib/server'
import styles from './welcome.module.css'

export default async function WelcomePage(): Promise<ReactNode> {
  await requireSetUp()
  if (await currentSession()) redirect('/user/settings/keys')
  const { registration } = await instanceStatus()

  return (
    <div className={styles.welcome}>
      <GuildMark size={72} />
      <h1 className={styles.title}>Guildhall</h1>
      <p className={styles.lead}>Your SSH keys, access tokens and account on this forge, in one place.</p>
      <div className={styles.actions}>
        <ButtonLink href="/sign-in" variant="primary">
          Sign in
        </ButtonLink>
        {registration ? <ButtonLink href="/register">Create an account</ButtonLink> : null}
      </div>
    </div>
  )
}
