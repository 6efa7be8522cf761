import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import styles from '@/app/_features/auth/auth.module.css'
import { AuthCard } from '@/app/_features/auth/auth-card'
import { RegisterForm } from '@/app/_features/auth/register-form'
import { instanceStatus } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetupPage(): Promise<ReactNode> {
  if (!(await instanceStatus()).needs_setup) redirect('/')
  return (
    <AuthCard
      title="Set up Guildhall"
      lead="This creates the first account, which administers this site and can add everyone else."
      below={<WhatComesNext />}
    >
      <RegisterForm purpose="setUp" submitLabel="Create administrator" />
    </AuthCard>
  )
}

function WhatComesNext(): ReactNode {
  return (
    <section aria-labelledby="next" className={styles.next}>
      <h2 id="next" className={styles.nextTitle}>
        What comes next
      </h2>
      <ol className={styles.nextSteps}>
        <li>Create your first repository, and add an SSH key or an access token for git.</li>
        <li>Add people under Site administration, and organizations with the + menu.</li>
        <li>Connect a runner, so that workflows run.</li>
        <li>
          Webhooks reach hosts on the internet only, until <code>GUILDHALL_WEBHOOK_ALLOWED_HOSTS</code> names
          others.
        </li>
      </ol>
    </section>
  )
}
