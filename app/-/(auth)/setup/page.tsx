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
      lead="Create the first account. You’ll use it to administer this site and add other people."
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
        Next steps
      </h2>
      <ol className={styles.nextSteps}>
        <li>Create a repository, and add an SSH key or an access token to push to it.</li>
        <li>Add people in Site administration, and create organizations from the + menu.</li>
        <li>Set up a runner to run workflows.</li>
        <li>
          By default, webhooks can only reach hosts on the public internet. To change this, set{' '}
          <code>GUILDHALL_WEBHOOK_ALLOWED_HOSTS</code>.
        </li>
      </ol>
    </section>
  )
}
