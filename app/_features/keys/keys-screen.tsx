'use client'
import type { ReactNode } from 'react'
import { PlusIcon } from '@/app/_components/icons'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { keyList } from '@/app/_lib/lists'
import type { KeyOwner } from '@/app/_lib/queries/keys'
import { useAddForm } from '@/app/_lib/use-add-form'
import { useAddedRow } from '@/app/_lib/use-added-row'
import { useListChoice } from '@/app/_lib/use-list-choice'
import type { SshAddress } from '@/server/instance/schema'
import { AddKeyForm } from './add-key-form'
import { KeyList } from './key-list'

interface KeysScreenProps {
  title: string
  lead: ReactNode
  owner: KeyOwner
  mayManage: boolean
  /** SSH address of the site; null if SSH is off. */
  address: SshAddress | null
  /** Instructions for getting a key, shown if the list is empty. */
  help?: ReactNode
  /** Shown between the heading and the list. */
  notice?: ReactNode
}

/** Page that lists, adds, and deletes the SSH keys of a person. */
export function KeysScreen({
  title,
  lead,
  owner,
  mayManage,
  address,
  help,
  notice,
}: KeysScreenProps): ReactNode {
  const form = useAddForm()
  const list = useListChoice(keyList)
  const open = form.open && mayManage
  const { addedId, newId, announceAdded } = useAddedRow(list, open)
  const finish = (id: number): void => {
    announceAdded(id)
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
      <PageHeading title={title} actions={addButton}>
        {lead}
      </PageHeading>
      {notice}
      {open ? <AddKeyForm owner={owner} onAdded={finish} onCancel={form.hide} /> : null}
      <KeyList
        owner={owner}
        list={list}
        mayManage={mayManage}
        address={address}
        addedId={addedId}
        newId={newId}
        help={help}
      />
    </>
  )
}
