import { newPage } from '@/app/_features/hooks/pages/new-page'
import { placeOfUser } from '@/app/_features/places/read-place'

export const metadata = { title: 'New webhook' }

export default newPage(placeOfUser)
