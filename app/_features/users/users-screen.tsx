'use client'
import { PlusIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { QuerySelect, SearchBox } from '@/app/_components/query-controls'
import { useAddForm } from '@/app/_lib/use-add-form'
import { AddUserForm } from './add-user-form'
import { orders, shows, type UserChoice } from './user-choices'
import { UserList } from './user-list'
import styles from './users.module.css'

export function UsersScreen({ choice }: { choice: UserChoice }): ReactNode {
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
      <div className={styles.tools}>
        <SearchBox label="Search users" placeholder="Search by name or e-mail address" q={choice.q} />
        <QuerySelect label="Show" name="show" value={choice.show} choices={shows} />
        <QuerySelect label="Sort by" name="sort" value={choice.sort} choices={orders} />
      </div>
      <UserList choice={choice} />
    </>
  )
}
