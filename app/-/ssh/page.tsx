import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import styles from '@/app/_features/keys/keys.module.css'
import { SshScreen } from '@/app/_features/keys/ssh-screen'
import { caller, requireSetUp } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Git over SSH' }

export default async function SshPage(): Promise<ReactNode> {
  await requireSetUp()
  const access = await (await caller()).instance.getSsh()
  return (
    <div className={styles.page}>
      <SshScreen {...access} />
    </div>
  )
}
