/* Published answers on curves. known_answer.h says what each field holds. */
#include "core/attributes.h"
#include "crypto/known_answer_tables.h"

static const struct known_answer rows[] = {
    {
        .algorithm = "ecdsa-p256",
        .source = "RFC 6979 section A.2.5",
        .key = "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29f"
               "b67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d44622"
               "99",
        .input = "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
        .output = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                  "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    },
    {
        .algorithm = "ecdsa-p384",
        .source = "RFC 6979 section A.2.6",
        .key = "04ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c"
               "64def8f0ea9055866064a254515480bc138015d9b72d7d57244ea8ef9ac0c621"
               "896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd25332647"
               "20",
        .input = "9a9083505bc92276aec4be312696ef7bf3bf603f4bbd381196a029f340585312"
                 "313bca4a9b5b890efee42c77b1ee25fe",
        .output = "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c"
                  "81a648152e44acf96e36dd1e80fabe4699ef4aeb15f178cea1fe40db2603138f"
                  "130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8",
    },
    {
        .algorithm = "ecdsa-p521",
        .source = "RFC 6979 section A.2.7",
        .key = "0401894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5b"
               "cd371123d46e45db6b5d5370a7f20fb633155d38ffa16d2bd761dcac474b9a2f"
               "5023a400493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d663"
               "0f746a28a0db25741b5b34a828008b22acc23f924faafbd4d33f81ea66956dfe"
               "aa2bfdfcf5",
        .input = "39a5e04aaff7455d9850c605364f514c11324ce64016960d23d5dc57d3ffd8f4"
                 "9a739468ab8049bf18eef820cdb1ad6c9015f838556bc7fad4138b23fdf986c7",
        .output = "00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f"
                  "174e25a1ee9017b5d450606add152b534931d7d4e8455cc91f9b15bf05ec36e3"
                  "77fa00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b"
                  "68af282623eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e4"
                  "4da4a67a",
    },
    {
        .algorithm = "ed25519",
        .source = "RFC 8032 section 7.1, test 1",
        .key = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        .nonce = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        .input = "",
        .output = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                  "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    },
    {
        .algorithm = "ed448",
        .source = "RFC 8032 section 7.4, blank",
        .key = "6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3"
               "528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b",
        .nonce = "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778"
                 "edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180",
        .input = "",
        .output = "533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f"
                  "2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980ff0d2028d4b18a"
                  "9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4db"
                  "b61149f05a7363268c71d95808ff2e652600",
    },
    {
        .algorithm = "ecdh-p256",
        .source = "RFC 5903 section 8.1",
        .key = "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433",
        .input = "04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf"
                 "6356fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872"
                 "ab",
        .output = "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de",
    },
    {
        .algorithm = "ecdh-p384",
        .source = "RFC 5903 section 8.2",
        .key = "099f3c7034d4a2c699884d73a375a67f7624ef7c6b3c0f160647b67414dce655"
               "e35b538041e649ee3faef896783ab194",
        .input = "04e558dbef53eecde3d3fccfc1aea08a89a987475d12fd950d83cfa41732bc50"
                 "9d0d1ac43a0336def96fda41d0774a3571dcfbec7aacf3196472169e83843036"
                 "7f66eebe3c6e70c416dd5f0c68759dd1fff83fa40142209dff5eaad96db9e638"
                 "6c",
        .output = "11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4"
                  "d603135569b9e9d09cf5d4a270f59746",
    },
    {
        .algorithm = "ecdh-p521",
        .source = "RFC 5903 section 8.3",
        .key = "0037ade9319a89f4dabdb3ef411aaccca5123c61acab57b5393dce47608172a0"
               "95aa85a30fe1c2952c6771d937ba9777f5957b2639bab072462f68c27a57382d"
               "4a52",
        .input = "0400d0b3975ac4b799f5bea16d5e13e9af971d5e9b984c9f39728b5e5739735a"
                 "219b97c356436adc6e95bb0352f6be64a6c2912d4ef2d0433ced2b6171640012"
                 "d9460f015c68226383956e3bd066e797b623c27ce0eac2f551a10c2c724d9852"
                 "077b87220b6536c5c408a1d2aebb8e86d678ae49cb57091f4732296579ab44fc"
                 "d17f0fc56a",
        .output = "01144c7d79ae6956bc8edb8e7c787c4521cb086fa64407f97894e5e6b2d79b04"
                  "d1427e73ca4baa240a34786859810c06b3c715a3a8cc3151f2bee417996d19f3"
                  "ddea",
    },
    {
        .algorithm = "ecdh-brainpoolp256r1",
        .source = "RFC 7027 section A.1",
        .key = "81db1ee100150ff2ea338d708271be38300cb54241d79950f77b063039804f1d",
        .input = "048d2d688c6cf93e1160ad04cc4429117dc2c41825e1e9fca0addd34e6f1b39f"
                 "7b990c57520812be512641e47034832106bc7d3e8dd0e4c7f1136d7006547cec"
                 "6a",
        .output = "89afc39d41d3b327814b80940b042590f96556ec91e6ae7939bce31f3a18bf2b",
    },
    {
        .algorithm = "ecdh-brainpoolp384r1",
        .source = "RFC 7027 section A.2",
        .key = "1e20f5e048a5886f1f157c74e91bde2b98c8b52d58e5003d57053fc4b0bd65d6"
               "f15eb5d1ee1610df870795143627d042",
        .input = "044d44326f269a597a5b58bba565da5556ed7fd9a8a9eb76c25f46db69d19dc8"
                 "ce6ad18e404b15738b2086df37e71d1eb462d692136de56cbe93bf5fa3188ef5"
                 "8bc8a3a0ec6c1e151a21038a42e9185329b5b275903d192f8d4e1f32fe9cc78c"
                 "48",
        .output = "0bd9d3a7ea0b3d519d09d8e48d0785fb744a6b355e6304bc51c229fbbce239bb"
                  "adf6403715c35d4fb2a5444f575d4f42",
    },
    {
        .algorithm = "ecdh-brainpoolp512r1",
        .source = "RFC 7027 section A.3",
        .key = "16302ff0dbbb5a8d733dab7141c1b45acbc8715939677f6a56850a38bd87bd59"
               "b09e80279609ff333eb9d4c061231fb26f92eeb04982a5f1d1764cad57665422",
        .input = "049d45f66de5d67e2e6db6e93a59ce0bb48106097ff78a081de781cdb31fce8c"
                 "cbaaea8dd4320c4119f1e9cd437a2eab3731fa9668ab268d871deda55a547319"
                 "9f2fdc313095bcdd5fb3a91636f07a959c8e86b5636a1e930e8396049cb48196"
                 "1d365cc11453a06c719835475b12cb52fc3c383bce35e27ef194512b71876285"
                 "fa",
        .output = "a7927098655f1f9976fa50a9d566865dc530331846381c87256baf3226244b76"
                  "d36403c024d7bbf0aa0803eaff405d3d24f11a9b5c0bef679fe1454b21c4cd1f",
    },
    {
        .algorithm = "x25519",
        .source = "RFC 7748 section 5.2",
        .key = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        .input = "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        .output = "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    },
    {
        .algorithm = "x448",
        .source = "RFC 7748 section 5.2",
        .key = "3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121700a779c"
               "984c24f8cdd78fbff44943eba368f54b29259a4f1c600ad3",
        .input = "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9814dc031"
                 "ddbdc38c19c6da2583fa5429db94ada18aa7a7fb4ef8a086",
        .output = "ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239fe14fbaad"
                  "eb445fc66a01b0779d98223961111e21766282f73dd96b6f",
    },
};

const struct known_answer_table known_answers_curve = {rows, COUNT_OF(rows)};
