'use client'
import { PlusIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { LiveMark } from '@/app/_components/live-mark'
import { PageHeading } from '@/app/_components/page-heading'
import { Banner, Button } from '@/app/_components/primer'
import type { KeyOwner } from '@/app/_lib/queries'
import { useAddForm } from '@/app/_lib/use-add-form'
import type { SshAddress } from '@/server/instance/schema'
import { AddKeyForm } from './add-key-form'
import { KeyList } from './key-list'
import styles from './keys.module.css'

interface KeysScreenProps {
  title: string
  lead: ReactNode
  owner: KeyOwner
  page: number
  mayManage: boolean
  /** Where the keys are used; null where SSH is off. */
  address: SshAddress | null
  /** How to get a key, where there is none. */
  help?: ReactNode
  /** Between the heading and the list. */
  notice?: ReactNode
}

/** The keys of one person with everything that can be done to them. */
export function KeysScreen({
  title,
  lead,
  owner,
  page,
  mayManage,
  address,
  help,
  notice,
}: KeysScreenProps): ReactNode {
  const form = useAddForm()
  const [addedId, setAddedId] = useState<number>()
  const open = form.open && mayManage
  const finish = (id: number): void => {
    setAddedId(id)
    form.hide()
  }
  const addButton =
    mayManage && !open ? (
      <Button variant="primary" leadingVisual={PlusIcon} ref={form.opener} onClick={form.show}>
        Add SSH key
      </Button>
    ) : null

  return (
    <>
      <PageHeading
        title={title}
        actions={
          <>
            {owner.mine ? <LiveMark /> : null}
            {addButton}
          </>
        }
      >
        {lead}
      </PageHeading>
      {notice}
      {open ? <AddKeyForm owner={owner} onAdded={finish} onCancel={form.hide} /> : null}
      <KeyList
        owner={owner}
        page={page}
        mayManage={mayManage}
        address={address}
        addedId={addedId}
        help={help}
      />
    </>
  )
}

/** Public keys are public: people should know where, and find it useful. */
export function PublicAddress({ url }: { url: string }): ReactNode {
  return (
    <section className={styles.address} aria-label="Public address">
      <p>Anyone can read your public keys at this address, for example to let you in to a server:</p>
      <CommandLine command={url} what="address" />
    </section>
  )
}

export function KeysElsewhere(): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="info"
      title="Your SSH keys are managed elsewhere"
      description="The administrator of this site manages SSH keys for accounts like yours. To add or remove a key, ask them."
    />
  )
}
