'use client'
import { PlusIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import { LiveMark } from '@/app/_components/live-mark'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import type { KeyOwner } from '@/app/_lib/queries/keys'
import { useAddForm } from '@/app/_lib/use-add-form'
import type { SshAddress } from '@/server/instance/schema'
import { AddKeyForm } from './add-key-form'
import { KeyList } from './key-list'

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
