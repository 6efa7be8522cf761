import { redirect } from 'next/navigation'

export default function SettingsPage(): never {
  redirect('/user/settings/keys')
}
