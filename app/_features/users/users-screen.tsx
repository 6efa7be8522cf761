'use client'
import { useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { BulkButton } from '@/app/_components/bulk-button'
import { BulkUndoButton } from '@/app/_components/bulk-undo-button'
import { EmptyState } from '@/app/_components/empty-state'
import {
  KebabHorizontalIcon,
  KeyIcon,
  PencilIcon,
  PeopleIcon,
  PersonIcon,
  PlusIcon,
  TrashIcon,
} from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { Menu, MenuAction, MenuDivider, MenuLink } from '@/app/_components/menu'
import { PageHeading } from '@/app/_components/page-heading'
import { Button, IconButton, Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import { WorkList } from '@/app/_components/work-list'
import { isNever } from '@/app/_lib/format'
import { userList } from '@/app/_lib/lists'
import { usersKey, usersQuery } from '@/app/_lib/queries/users'
import { trpc } from '@/app/_lib/trpc'
import { useAddForm } from '@/app/_lib/use-add-form'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import type { BrowsedUser } from '@/server/users/schema'
import { DeleteUserDialog } from './delete-user'
import styles from './users.module.css'

const AddUserForm = dynamic(async () => (await import('./add-user-form')).AddUserForm)

export function UsersScreen({ me }: { me: number }): ReactNode {
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
      <UserList me={me} />
    </>
  )
}

function UserList({ me }: { me: number }): ReactNode {
  const list = useListChoice(userList)
  const rows = useListRows(usersQuery(list.choice))
  const [deleting, setDeleting] = useState<BrowsedUser>()
  return (
    <>
      <WorkList<BrowsedUser>
        title="Users"
        noun="user"
        icon={PeopleIcon}
        list={list}
        rows={rows}
        idOf={user => user.id}
        nameOf={user => user.login}
        empty={<EmptyState icon={PeopleIcon} title="No users" />}
        row={(user, check) => (
          <UserRow key={user.id} user={user} check={check} onDelete={() => setDeleting(user)} />
        )}
        bulk={{
          takes: user => user.id !== me,
          actions: (users, done) => <SignInButtons users={users} onDone={done} />,
        }}
      />
      {deleting ? (
        <DeleteUserDialog username={deleting.login} onClose={() => setDeleting(undefined)} />
      ) : null}
    </>
  )
}

interface UserRowProps {
  user: BrowsedUser
  check: ReactNode
  onDelete: () => void
}

function UserRow({ user, check, onDelete }: UserRowProps): ReactNode {
  return (
    <ListRow
      check={check}
      visual={<UserAvatar id={user.id} size={32} />}
      action={<UserMenu user={user} onDelete={onDelete} />}
    >
      <div className={styles.login}>
        <QuietLink href={`/-/admin/users/${user.login}`}>{user.login}</QuietLink>
        {user.full_name ? (
          <span className={styles.fullName}>
            <bdi>{user.full_name}</bdi>
          </span>
        ) : null}
        <UserBadges user={user} />
      </div>
      <RowFacts>
        <span>{user.email}</span>
        <span>
          Created <RelativeDate value={user.created} />
        </span>
        <span>
          {isNever(user.last_login) ? (
            'Never signed in'
          ) : (
            <>
              Last signed in <RelativeDate value={user.last_login} />
            </>
          )}
        </span>
      </RowFacts>
    </ListRow>
  )
}

function UserBadges({ user }: { user: BrowsedUser }): ReactNode {
  return (
    <>
      {user.is_admin ? <Label variant="accent">Administrator</Label> : null}
      {user.prohibit_login ? <Label variant="danger">Disabled</Label> : null}
      {user.restricted ? <Label variant="secondary">Restricted</Label> : null}
      {user.active ? null : <Label variant="attention">Not activated</Label>}
      {user.must_change_password ? <Label variant="secondary">Must change password</Label> : null}
    </>
  )
}

function UserMenu({ user, onDelete }: { user: BrowsedUser; onDelete: () => void }): ReactNode {
  const { login } = user
  return (
    <Menu
      label={`Actions for ${login}`}
      button={props => (
        <IconButton {...props} icon={KebabHorizontalIcon} variant="invisible" unsafeDisableTooltip />
      )}
    >
      <MenuLink href={`/-/admin/users/${login}`} visual={<PencilIcon />}>
        Edit
      </MenuLink>
      <MenuLink href={`/-/admin/users/${login}/keys`} visual={<KeyIcon />}>
        SSH keys
      </MenuLink>
      <MenuLink href={`/${login}`} visual={<PersonIcon />}>
        View profile
      </MenuLink>
      <MenuDivider />
      <MenuAction visual={TrashIcon} danger onSelect={onDelete}>
        Delete…
      </MenuAction>
    </Menu>
  )
}

interface SignInButtonsProps {
  users: readonly BrowsedUser[]
  onDone: () => void
}

/**
 * Buttons that change whether the selected users can sign in. "Disable" applies to the enabled accounts among
 * them, and "Enable" to the disabled ones.
 */
function SignInButtons({ users, onDone }: SignInButtonsProps): ReactNode {
  const queryClient = useQueryClient()
  const set = (ids: number[], prohibit_login: boolean) =>
    trpc.users.prohibitLogin.mutate({ ids, prohibit_login })
  const finish = async (): Promise<void> => {
    onDone()
    await queryClient.invalidateQueries({ queryKey: usersKey })
  }
  const enabled = users.filter(user => !user.prohibit_login)
  const disabled = users.filter(user => user.prohibit_login)
  return (
    <>
      {enabled.length > 0 ? (
        <BulkButton
          verb="Disable"
          done="Disabled"
          nouns={nouns}
          names={enabled.map(({ login }) => login)}
          run={async () => (await set(idsOf(enabled), true)).length}
          onDone={finish}
        >
          <p>
            These users will be signed out immediately. Their passwords, SSH keys, and access tokens won’t
            work until you enable the accounts again.
          </p>
        </BulkButton>
      ) : null}
      {disabled.length > 0 ? (
        <BulkUndoButton
          verb="Enable"
          done="Enabled"
          nouns={nouns}
          ids={idsOf(disabled)}
          run={ids => set(ids, false)}
          undo={ids => set(ids, true)}
          onDone={finish}
        />
      ) : null}
    </>
  )
}

const nouns = ['account', 'accounts'] as const

const idsOf = (users: readonly BrowsedUser[]): number[] => users.map(({ id }) => id)
