import { listPage } from '@/app/_features/hooks/pages/list-page'
import { placeOfUser } from '@/app/_features/places/read-place'

export const metadata = { title: 'Webhooks' }

export default listPage(placeOfUser)
