'use client'
import { PlusIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { SearchBox } from '@/app/_components/search-box'
import { useAddForm } from '@/app/_lib/use-add-form'
import { AddUserForm } from './add-user-form'
import { UserList } from './user-list'

export function UsersScreen({ q, page }: { q: string; page: number }): ReactNode {
  const form = useAddForm()
  return (
    <>
      <PageHeading
        title="Users"
        actions={
          form.open ? null : (
            <Button variant="primary" leadingVisual={PlusIcon} ref={form.opener} onClick={form.show}>
              New user
            </Button>
          )
        }
      >
        Everyone with an account on this site.
      </PageHeading>
      {form.open ? <AddUserForm onDone={form.hide} /> : null}
      <SearchBox label="Search users" placeholder="Search by name or e-mail address" q={q} />
      <UserList q={q} page={page} />
    </>
  )
}
